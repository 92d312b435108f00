import DecalCLI

await runProcess()
