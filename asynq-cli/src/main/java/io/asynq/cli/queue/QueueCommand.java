package io.asynq.cli.queue;

import picocli.CommandLine.Command;

/**
 * Groups the commands for queues.
 */
@Command(name = "queue", description = "Manage queues.", footer = "  asynq queue ls")
public final class QueueCommand {

}
