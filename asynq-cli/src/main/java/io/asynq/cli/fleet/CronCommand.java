package io.asynq.cli.fleet;

import picocli.CommandLine.Command;

/**
 * Groups the commands for periodic tasks.
 */
@Command(name = "cron", description = "Manage cron.")
public final class CronCommand {

}
