package io.asynq.cli.failure;

import picocli.CommandLine.Command;

/**
 * Groups the commands for failures.
 */
@Command(name = "failures", description = "See why tasks fail, and act on all that fail for the same reason.",
		footer = "  asynq failures ls")
public final class FailuresCommand {

}
