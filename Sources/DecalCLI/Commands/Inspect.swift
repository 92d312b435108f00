import Pipeline

/// `decal inspect`.
func performInspect(_ arguments: Arguments, _ context: Context) async throws -> ExitCode {
  .success
}
