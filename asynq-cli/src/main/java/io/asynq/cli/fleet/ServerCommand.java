package io.asynq.cli.fleet;

import picocli.CommandLine.Command;

/**
 * Groups the commands for servers.
 */
@Command(name = "server", description = "Manage servers.", footer = "  asynq server ls")
public final class ServerCommand {

}
