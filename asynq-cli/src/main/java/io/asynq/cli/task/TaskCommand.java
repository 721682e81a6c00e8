package io.asynq.cli.task;

import picocli.CommandLine.Command;

/**
 * Groups the commands for tasks.
 */
@Command(name = "task", description = "Manage tasks.", footer = "  asynq task ls -q default -s archived")
public final class TaskCommand {

}
