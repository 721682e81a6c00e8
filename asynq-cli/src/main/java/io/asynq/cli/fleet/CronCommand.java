package io.asynq.cli.fleet;

import picocli.CommandLine.Command;

/**
 * Groups the commands for periodic tasks.
 */
@Command(name = "cron", description = "Manage cron.", footer = "  asynq cron ls")
public final class CronCommand {

}
