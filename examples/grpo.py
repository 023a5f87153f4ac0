"""GRPO with TRL on exact rewards: three steps of a tiny random model, on a CPU.

    pip install trl
    synthgen build hint --rows 2000 && python examples/grpo.py outputs/hint

A random model earns nothing in three steps; `--model Qwen/Qwen3-0.6B` trains a real one.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from datasets import load_dataset
from tokenizers import Regex, Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer

import synthgen
from synthgen.training.adapters import trl_reward

CHAT = (
    "{% for each in messages %}{{ each.role }}: {{ each.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)


def letters() -> PreTrainedTokenizerFast:
    """Return a tokenizer whose tokens are printable characters."""
    characters = ["\n", *map(chr, range(32, 127))]
    codes = {token: code for code, token in enumerate(["<pad>", "<end>", *characters])}
    tokenizer = Tokenizer(models.WordLevel(codes, unk_token="<pad>"))  # noqa: S106
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    special = {"pad_token": "<pad>", "eos_token": "<end>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, chat_template=CHAT, **special)


def tiny(tokens: int) -> Qwen2ForCausalLM:
    """Return a random model of some thousand weights."""
    config = Qwen2Config(
        vocab_size=tokens,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )
    return Qwen2ForCausalLM(config)


def main() -> None:
    """Export the rows, and train on them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of a dataset")
    parser.add_argument("--model", help="name or folder of a model; default: a tiny random one")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=16, help="most tokens of a completion")
    parser.add_argument("--out", type=Path, default=Path("outputs/grpo"))
    options = parser.parse_args()

    rows = options.out / "rows"
    synthgen.export(options.folder, "trl", rows, splits=["train"])
    dataset = load_dataset(str(rows), split="train", cache_dir=str(options.out / "cache"))
    given: dict[str, Any] = {"model": options.model}
    if not options.model:
        tokenizer = letters()
        given = {"model": tiny(len(tokenizer)), "processing_class": tokenizer}
    config = GRPOConfig(
        output_dir=str(options.out / "run"),
        max_steps=options.steps,
        per_device_train_batch_size=8,
        num_generations=4,
        max_completion_length=options.tokens,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        use_cpu=not options.model,
        bf16=bool(options.model),
    )
    trainer = GRPOTrainer(args=config, reward_funcs=trl_reward, train_dataset=dataset, **given)
    trainer.train()
    for entry in trainer.state.log_history:
        if "reward" in entry:
            print(f"step {entry['step']}: reward {entry['reward']:.3f}, loss {entry['loss']:.4f}")


if __name__ == "__main__":
    main()
