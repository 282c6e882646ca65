-- Opens the file that it is called with, as a user's Neovim would; prints what the language server says, one line each.
local out = function(...) io.stdout:write(table.concat({ ... }, ' ') .. '\n') end
local command = vim.split(vim.env.JOUST_COMMAND, '\n')
local client = vim.lsp.start_client({ name = 'joust', cmd = command, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)

local findings = function() return vim.diagnostic.get(0) end
vim.wait(30000, function() return #findings() > 0 end, 20)
for _, one in ipairs(findings()) do out('finding', one.lnum + 1, one.code) end

local line = findings()[1].lnum
local document = vim.lsp.util.make_text_document_params(0)
local range = { start = { line = line, character = 6 }, ['end'] = { line = line, character = 7 } }
local ask = function(method, params)
  params.textDocument = document
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 30000) or {}) do return answer.result end
end

local hover = ask('textDocument/hover', { position = range.start })
out('hover', hover and hover.contents.value:match('[%w_-]+') or 'nothing')
local actions = ask('textDocument/codeAction', { range = range, context = { diagnostics = {} } })
out('fix', actions[1].title)
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
vim.wait(30000, function() return #findings() == 0 end, 20)
out('left', #findings(), vim.fn.getline(line + 1))

local written = vim.fn.getline(line + 1)
local value = written:match('%S+$')
local completions = ask('textDocument/completion', { position = { line = line, character = #written } })
for _, one in ipairs(completions.items or completions) do
  if one.label == value then out('completes', one.label) end
end
vim.fn.cursor(1, 1)
local actor = vim.fn.search('^ *- name: ')
local named = { line = actor - 1, character = #vim.fn.getline(actor) }
out('uses', #ask('textDocument/references', { position = named, context = { includeDeclaration = false } }))
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', { position = named, newName = 'renamed' }), 'utf-16')
out('renamed', #vim.fn.filter(vim.fn.getline(1, '$'), 'v:val =~ "renamed"'))
vim.cmd('qa!')
