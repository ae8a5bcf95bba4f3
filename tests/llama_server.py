"""A real server of llama.cpp with a small model of random weights, for ``make test-endpoint``.

``python tests/llama_server.py <folder> <port> <key>`` serves until it is ended. It needs the wheel xllamacpp.
"""

import struct
import sys
import threading
from pathlib import Path

import numpy as np

WIDTH, HEADS, INNER, CONTEXT = 64, 4, 128, 4096
WORDS = [
    f"▁{word}" for word in ("harbour", "lantern", "granite", "the", "answer", "is", "0.5", "Probability:")
]
TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", *WORDS]
KINDS = [2, 3, 3, *[6] * 256, *[1] * (1 + len(WORDS))]
"""Kinds of tokens of a SentencePiece vocabulary: 1 normal, 2 unknown, 3 control, 6 byte."""


def _text(text: str) -> bytes:
    content = text.encode()
    return struct.pack("<Q", len(content)) + content


def _value(value, kind: int = 4) -> bytes:
    """A value with the number of its type, as GGUF has it; ``kind`` of an integer: 4 unsigned, 5 signed."""
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, int):
        return struct.pack("<Ii", kind, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    parts = [_value(item, 5) for item in value]
    head = struct.pack("<I", 9) + parts[0][:4] + struct.pack("<Q", len(parts))
    return head + b"".join(part[4:] for part in parts)


def write_model(path: Path, seed: int = 1) -> None:
    """A GGUF file (version 3) of one Llama layer with random weights and a tokenizer of bytes."""
    about = {
        "general.architecture": "llama", "llama.context_length": CONTEXT, "llama.embedding_length": WIDTH,
        "llama.block_count": 1, "llama.feed_forward_length": INNER, "llama.attention.head_count": HEADS,
        "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.rope.dimension_count": WIDTH // HEADS,
        "tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": TOKENS, "tokenizer.ggml.scores": [0.0] * len(TOKENS),
        "tokenizer.ggml.token_type": KINDS, "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2,
    }  # fmt: skip
    square, wide, tall = (WIDTH, WIDTH), (INNER, WIDTH), (WIDTH, INNER)
    words = (len(TOKENS), WIDTH)
    shapes = {"token_embd": words, "output_norm": (WIDTH,), "output": words}
    parts = {"attn_norm": (WIDTH,), "ffn_norm": (WIDTH,), "ffn_gate": wide, "ffn_up": wide}
    parts["ffn_down"] = tall
    parts |= dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), square)
    shapes |= {f"blk.0.{name}": shape for name, shape in parts.items()}
    chance = np.random.default_rng(seed)
    heads, weights, offset = [], [], 0
    for name, shape in shapes.items():
        values = np.ones(shape) if "norm" in name else chance.normal(0, 0.3, shape)
        # Dimensions stand in the other order; every size here is a multiple of the alignment, 32 bytes.
        sizes = struct.pack(f"<I{len(shape)}Q", len(shape), *shape[::-1])
        heads.append(_text(f"{name}.weight") + sizes + struct.pack("<IQ", 0, offset))
        weights.append(values.astype("<f4").tobytes())
        offset += len(weights[-1])
    content = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(about))
    content += b"".join(_text(name) + _value(value) for name, value in about.items())
    content += b"".join(heads)
    path.write_bytes(content + b"\0" * (-len(content) % 32) + b"".join(weights))


def main(folder: str, port: str, key: str) -> None:
    import xllamacpp

    model = Path(folder) / "random.gguf"
    if not model.exists():
        write_model(model)
    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel = str(model), 4 * CONTEXT, 4
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], int(port), [key]
    params.warmup = False
    params.chat_template = "{% for message in messages %}{{ message['content'] }}{% endfor %}"
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
