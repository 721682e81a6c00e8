package io.asynq.cli.task;

import picocli.CommandLine.Command;

/**
 * Groups the commands for tasks.
 */
@Command(name = "task", description = "Manage tasks.")
public final class TaskCommand {

}
