package io.asynq.cli.fleet;

import picocli.CommandLine.Command;

/**
 * Groups the commands for limits.
 */
@Command(name = "limit", description = "Look at limits over all servers.", footer = "  asynq limit ls")
public final class LimitCommand {

}
