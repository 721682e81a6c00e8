package io.asynq.cli.care;

import java.util.Map;

import io.asynq.cli.command.Invocation;
import picocli.CommandLine.Command;

/**
 * Tells the version.
 */
@Command(name = "version", hidden = true, description = "Print the version.", footer = "  asynq version")
public final class VersionCommand implements Runnable {

	private final Invocation invocation;

	public VersionCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public void run() {
		this.invocation.output()
			.print(Map.of("version", version()), (out) -> out.println("asynq version " + version()));
	}

	/** Returns the version of this library. */
	public static String version() {
		String version = VersionCommand.class.getPackage().getImplementationVersion();
		return (version != null) ? version : "(development)";
	}

}
