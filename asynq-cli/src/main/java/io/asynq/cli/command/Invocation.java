package io.asynq.cli.command;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.asynq.cli.connect.Session;
import io.asynq.cli.connect.Settings;
import io.asynq.cli.connect.SettingsFile;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.Heading;
import io.asynq.cli.output.Output;
import io.asynq.cli.output.OutputFormat;
import io.asynq.cli.terminal.CommandFailedException;
import io.asynq.cli.terminal.Question;
import io.asynq.cli.terminal.Surroundings;
import io.asynq.operations.survey.QueueBoard.Board;
import org.jspecify.annotations.Nullable;

/**
 * What a command works with. Options are looked at when the first of these is asked for.
 */
public final class Invocation {

	private final AsynqCommand command;

	private final Surroundings surroundings;

	private @Nullable Settings settings;

	public Invocation(AsynqCommand command, Surroundings surroundings) {
		this.command = command;
		this.surroundings = surroundings;
	}

	/** Opens a session in which no call takes longer. */
	public Session openFor(Duration patience) {
		return Session.open(settings(), this.surroundings.clock(), patience);
	}

	/** Opens a session, which the caller closes. */
	public Session open() {
		// A wrong format is told before anything is done
		output();
		return Session.open(settings(), this.surroundings.clock());
	}

	/**
	 * Works in a session.
	 * @return 0
	 */
	public int run(Consumer<Session> work) {
		try (Session session = open()) {
			work.accept(session);
			return 0;
		}
	}

	/**
	 * Does something with each of several names. One that fails is told and keeps no
	 * other from its turn.
	 * @param act returns what went wrong, {@code null} for nothing
	 * @return 0, or 1 if something went wrong
	 */
	public int each(Collection<String> names, Function<String, @Nullable String> act) {
		int code = 0;
		for (String name : names) {
			String error = act.apply(name);
			if (error != null) {
				code = 1;
				tell(error);
			}
		}
		return code;
	}

	/** Tells something that is no result. */
	public void tell(String message) {
		this.surroundings.out().flush();
		this.surroundings.err().println(message);
		this.surroundings.err().flush();
	}

	/**
	 * Tells people how many tasks in retry have not failed; without a terminal the output
	 * stays Go's.
	 */
	public void tellWaiting(long tasks) {
		if (tasks > 0 && this.surroundings.terminal().isThere()) {
			this.surroundings.out().println(tasks + " in retry wait for a limit and have not failed");
		}
	}

	/**
	 * Tells which queues could not be read.
	 * @return 0, or 1 if there are some
	 */
	public int tellUnreadable(Board board) {
		board.unreadable()
			.forEach((queue,
					reason) -> tell("error: queue " + Cell.text(queue) + " cannot be read: " + Cell.text(reason)));
		return board.unreadable().isEmpty() ? 0 : 1;
	}

	/** Fails with a message. */
	public static CommandFailedException failed(String message) {
		return new CommandFailedException(message);
	}

	public Output output() {
		return new Output(this.surroundings.out(), OutputFormat.of(settings().find("output")));
	}

	/**
	 * Returns what asks questions.
	 * @param yes whether the command line answers them
	 */
	public Question question(boolean yes) {
		return new Question(this.surroundings, yes || settings().isOn("yes"));
	}

	public GoTimes times() {
		return new GoTimes(this.surroundings.clock());
	}

	public Heading heading() {
		return new Heading(this.surroundings);
	}

	/** Returns how wide a line may be, 0 for as wide as it is. */
	public int columns() {
		return (output().format() == OutputFormat.WIDE) ? 0 : this.surroundings.columns();
	}

	/** Shows a payload or a result: a person is told that it is empty. */
	public String bytes(byte @Nullable [] bytes) {
		boolean empty = bytes == null || bytes.length == 0;
		return (empty && this.surroundings.terminal().isThere()) ? "(empty)" : Cell.bytes(bytes);
	}

	public Surroundings surroundings() {
		return this.surroundings;
	}

	private Settings settings() {
		Settings known = this.settings;
		if (known == null) {
			Map<String, String> flags = this.command.flags();
			Map<String, String> variables = this.surroundings.environment().variables();
			String given = flags.getOrDefault("config", variables.get("ASYNQ_CONFIG"));
			known = new Settings(flags, variables, SettingsFile.read(given, this.surroundings.environment().home()));
			this.settings = known;
		}
		return known;
	}

}
