"""Prompts of SKILL-MIX: write a text that illustrates k skills, with the rubric to grade it."""

FAMILIES = {
    "skill_prompt": "SKILL-MIX prompts: write a text that illustrates k skills, with its rubric",
}
