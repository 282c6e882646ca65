/** Agent frameworks in Python, one row each. The function is a coroutine, and a process has one conversation. */
import type { AgentForm } from './form.ts'

const assigned = String.raw`^(\w+)(?:\s*:[^=\n]+)?\s*=\s*`

/** Matches the assignment of an object that one of the functions creates. */
function made(...names: readonly string[]): RegExp {
  return new RegExp(String.raw`${assigned}(?:\w+\.)*(?:${names.join('|')})(?:\[[^\]\n]*\])?\(`, 'gm')
}

const HISTORY = 'history = []'

/** One row for each framework. */
export const pythonForms: readonly AgentForm[] = [
  {
    title: 'Pydantic AI',
    distributions: ['pydantic-ai-slim', 'pydantic-ai'],
    modules: ['pydantic_ai'],
    written: made('Agent'),
    tried: '2.66.0',
    needs: 'pydantic-ai-slim[mcp]',
    call: {
      imports: ['from pydantic_ai import mcp'],
      after: [
        HISTORY,
        '# MCPServerStreamableHTTP is the name before version 2.',
        'Server = getattr(mcp, "MCPToolset", None) or mcp.MCPServerStreamableHTTP',
      ],
      lines: [
        'servers = [Server(server["url"]) for server in mcp_servers().values()]',
        'result = await agent.run(prompt, toolsets=servers, message_history=history)',
        'history[:] = result.all_messages()',
        'return str(result.output)',
      ],
    },
  },
  {
    title: 'OpenAI Agents',
    distributions: ['openai-agents'],
    modules: ['agents'],
    written: made('Agent'),
    tried: '0.24.0',
    call: {
      imports: [
        'from contextlib import AsyncExitStack',
        '',
        'from agents import Runner, set_tracing_disabled',
        'from agents.mcp import MCPServerStreamableHttp',
      ],
      after: ['# Traces of attacks stay here.', 'set_tracing_disabled(True)', HISTORY],
      lines: [
        'async with AsyncExitStack() as stack:',
        '    servers = list(agent.mcp_servers)',
        '    for name, server in mcp_servers().items():',
        '        connection = MCPServerStreamableHttp({"url": server["url"]}, name=name)',
        '        servers.append(await stack.enter_async_context(connection))',
        '    history.append({"role": "user", "content": prompt})',
        '    result = await Runner.run(agent.clone(mcp_servers=servers), history)',
        'history[:] = result.to_input_list()',
        'return str(result.final_output)',
      ],
    },
  },
  {
    title: 'LangGraph',
    distributions: ['langgraph', 'deepagents', 'langchain'],
    modules: ['langgraph', 'deepagents', 'langchain'],
    written: made('create_deep_agent', 'create_agent', 'create_react_agent', 'compile'),
    tried: '1.2.22',
    needs: 'langchain-mcp-adapters',
    call: {
      imports: [
        'import asyncio',
        'import importlib',
        '',
        'from langchain_mcp_adapters.client import MultiServerMCPClient',
      ],
      before: [
        'connections = {name: {"transport": "streamable_http", "url": server["url"]} for name, server in mcp_servers().items()}',
        'mcp_tools = asyncio.run(MultiServerMCPClient(connections).get_tools())',
        '',
        '',
        'def add_tools(module, name):',
        '    """A compiled graph keeps its tools, so the functions that compile one add those of the MCP servers."""',
        '    try:',
        '        create = getattr(importlib.import_module(module), name)',
        '    except (ImportError, AttributeError):',
        '        return',
        '    def with_tools(model=None, tools=None, *args, **options):',
        '        return create(model, [*(tools or []), *mcp_tools], *args, **options)',
        '    setattr(importlib.import_module(module), name, with_tools)',
        '',
        '',
        'add_tools("langchain.agents", "create_agent")',
        'add_tools("langgraph.prebuilt", "create_react_agent")',
      ],
      after: [HISTORY],
      lines: [
        'messages = [*history, {"role": "user", "content": prompt}]',
        'state = await agent.ainvoke({"messages": messages}, {"configurable": {"thread_id": turn["session"]}})',
        'history[:] = state["messages"]',
        'return str(history[-1].text)',
      ],
    },
  },
  {
    title: 'LlamaIndex',
    distributions: ['llama-index-core', 'llama-index'],
    modules: ['llama_index'],
    written: made('FunctionAgent', 'ReActAgent'),
    tried: '0.14.25',
    needs: 'llama-index-tools-mcp',
    call: {
      imports: [
        'from llama_index.core.memory import ChatMemoryBuffer',
        'from llama_index.tools.mcp import BasicMCPClient, McpToolSpec',
      ],
      after: ['memory = ChatMemoryBuffer.from_defaults(token_limit=100_000)'],
      lines: [
        'if turn["turn"] == 1:',
        '    for server in mcp_servers().values():',
        '        tools = await McpToolSpec(BasicMCPClient(server["url"])).to_tool_list_async()',
        '        agent.tools = [*(agent.tools or []), *tools]',
        'return str(await agent.run(prompt, memory=memory))',
      ],
    },
  },
  {
    title: 'ADK',
    distributions: ['google-adk'],
    modules: ['google.adk'],
    written: made('Agent', 'LlmAgent'),
    tried: '2.13.0',
    needs: 'mcp',
    call: {
      imports: [
        'from google.adk.runners import InMemoryRunner',
        'from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams',
        'from google.genai import types',
      ],
      after: [
        'for server in mcp_servers().values():',
        '    agent.tools.append(McpToolset(connection_params=StreamableHTTPConnectionParams(url=server["url"])))',
        'runner = InMemoryRunner(agent=agent, app_name="joust")',
      ],
      lines: [
        'who = {"user_id": "user", "session_id": turn["session"]}',
        'if turn["turn"] == 1:',
        '    await runner.session_service.create_session(app_name="joust", **who)',
        'text = ""',
        'message = types.Content(role="user", parts=[types.Part(text=prompt)])',
        'async for event in runner.run_async(**who, new_message=message):',
        '    if event.is_final_response() and event.content:',
        '        text = "".join(part.text or "" for part in event.content.parts or [])',
        'return text',
      ],
    },
  },
  {
    title: 'Strands',
    distributions: ['strands-agents'],
    modules: ['strands'],
    written: made('Agent'),
    tried: '1.62.0',
    call: {
      imports: [
        'from mcp.client.streamable_http import streamable_http_client',
        'from strands.tools.mcp import MCPClient',
      ],
      after: [
        'for server in mcp_servers().values():',
        '    agent.tool_registry.process_tools([MCPClient(lambda url=server["url"]: streamable_http_client(url))])',
      ],
      lines: ['return str(await agent.invoke_async(prompt)).strip()'],
    },
  },
]
