package io.asynq.cli.command;

import io.asynq.cli.connect.Session;
import io.asynq.cli.connect.Settings;
import io.asynq.cli.connect.SettingsFile;
import io.asynq.cli.output.Output;
import io.asynq.cli.output.OutputFormat;
import io.asynq.cli.terminal.Surroundings;

/**
 * What a command works with. Options are looked at when the first of these is asked for.
 */
public final class Invocation {

	private final AsynqCommand command;

	private final Surroundings surroundings;

	public Invocation(AsynqCommand command, Surroundings surroundings) {
		this.command = command;
		this.surroundings = surroundings;
	}

	/** Opens a session, which the caller closes. */
	public Session open() {
		return Session.open(settings(), this.surroundings.clock());
	}

	public Output output() {
		String format = settings().find("output");
		return new Output(this.surroundings.out(), OutputFormat.of(format));
	}

	public Surroundings surroundings() {
		return this.surroundings;
	}

	private Settings settings() {
		var flags = this.command.flags();
		var variables = this.surroundings.environment().variables();
		String given = flags.getOrDefault("config", variables.get("ASYNQ_CONFIG"));
		return new Settings(flags, variables, SettingsFile.read(given, this.surroundings.environment().home()));
	}

}
