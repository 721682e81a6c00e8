package io.asynq.cli.queue;

import picocli.CommandLine.Command;

/**
 * Groups the commands for groups of tasks.
 */
@Command(name = "group", description = "Manage groups.", footer = "  asynq group ls -q reports")
public final class GroupCommand {

}
