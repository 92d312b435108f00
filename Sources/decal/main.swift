import DecalCLI

print(ExitCode.success)
