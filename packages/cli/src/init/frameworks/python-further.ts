/** Further agent frameworks in Python. */
import type { AgentForm } from './form.ts'
import { HISTORY, made } from './python-form.ts'

/** One row for each framework. */
export const furtherPythonForms: readonly AgentForm[] = [
  {
    title: 'Agno',
    distributions: ['agno'],
    modules: ['agno'],
    written: made('Agent'),
    tried: '3.1.10',
    needs: 'fastmcp',
    call: {
      imports: ['from agno.db.in_memory import InMemoryDb', 'from agno.tools.mcp import MCPTools'],
      after: [
        '# Keeps the conversation.',
        'agent.db = agent.db or InMemoryDb()',
        'agent.add_history_to_context = True',
      ],
      lines: [
        'for server in mcp_servers().values() if turn["turn"] == 1 else []:',
        '    tools = MCPTools(url=server["url"], transport="streamable-http")',
        '    await tools.connect()',
        '    agent.add_tool(tools)',
        'result = await agent.arun(prompt, session_id=turn["session"])',
        'return str(result.content)',
      ],
    },
  },
  {
    title: 'Microsoft Agent Framework',
    distributions: ['agent-framework-core', 'agent-framework'],
    modules: ['agent_framework'],
    written: made('Agent', 'ChatAgent', 'as_agent', 'create_agent'),
    tried: '1.23.0',
    needs: 'agent-framework-core[all]',
    call: {
      imports: ['from contextlib import AsyncExitStack', '', 'from agent_framework import MCPStreamableHTTPTool'],
      after: ['session = agent.create_session()'],
      lines: [
        'async with AsyncExitStack() as stack:',
        '    servers = [MCPStreamableHTTPTool(name=name, url=server["url"]) for name, server in mcp_servers().items()]',
        '    for server in servers:',
        '        await stack.enter_async_context(server)',
        '    return (await agent.run(prompt, session=session, tools=servers)).text',
      ],
    },
  },
  {
    title: 'AutoGen',
    distributions: ['autogen-agentchat'],
    modules: ['autogen_agentchat'],
    written: made('AssistantAgent'),
    tried: '0.7.5',
    needs: 'autogen-ext[mcp]',
    call: {
      imports: ['from autogen_ext.tools.mcp import StreamableHttpServerParams, mcp_server_tools'],
      lines: [
        '# The agent keeps the conversation itself.',
        'for server in mcp_servers().values() if turn["turn"] == 1 else []:',
        '    agent._tools.extend(await mcp_server_tools(StreamableHttpServerParams(url=server["url"])))',
        'result = await agent.run(task=prompt)',
        'return str(result.messages[-1].content)',
      ],
    },
  },
  {
    title: 'Haystack',
    distributions: ['haystack-ai'],
    modules: ['haystack'],
    written: made('Agent'),
    tried: '3.4.0',
    needs: 'mcp-haystack',
    call: {
      imports: [
        'from haystack.dataclasses import ChatMessage',
        'from haystack_integrations.tools.mcp import MCPToolset, StreamableHttpServerInfo',
      ],
      after: [HISTORY],
      lines: [
        'servers = [MCPToolset(StreamableHttpServerInfo(url=server["url"]), eager_connect=True) for server in mcp_servers().values()]',
        'tools = [*agent.tools, *(tool for server in servers for tool in server)]',
        'history.append(ChatMessage.from_user(prompt))',
        'result = await agent.run_async(messages=history, tools=tools)',
        'history[:] = [message for message in result["messages"] if not message.is_from("system")]',
        'return str(history[-1].text)',
      ],
    },
  },
  {
    title: 'Semantic Kernel',
    distributions: ['semantic-kernel'],
    modules: ['semantic_kernel'],
    written: made('ChatCompletionAgent'),
    tried: '1.45.0',
    needs: 'semantic-kernel[mcp]',
    call: {
      imports: ['from semantic_kernel.connectors.mcp import MCPStreamableHttpPlugin'],
      after: ['thread = None'],
      lines: [
        'global thread',
        'for name, server in mcp_servers().items() if turn["turn"] == 1 else []:',
        '    plugin = MCPStreamableHttpPlugin(name=name, url=server["url"])',
        '    await plugin.connect()',
        '    agent.kernel.add_plugin(plugin)',
        'response = await agent.get_response(messages=prompt, thread=thread)',
        'thread = response.thread',
        'return str(response.content)',
      ],
    },
  },
]
