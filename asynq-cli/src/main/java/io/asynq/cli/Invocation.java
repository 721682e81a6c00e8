package io.asynq.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.inspect.Page;
import io.asynq.internal.text.GoDuration;
import io.asynq.operations.survey.QueueBoard.Board;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What commands work with. Options are looked at when the first of these is asked for.
 */
class Invocation {

	final Surroundings surroundings;

	final PrintWriter out;

	private final List<OptionSpec> options;

	private @Nullable Settings settings;

	Invocation(List<OptionSpec> options, Surroundings surroundings) {
		this.options = options;
		this.surroundings = surroundings;
		this.out = surroundings.out();
	}

	Invocation(Invocation other) {
		this(other.options, other.surroundings);
	}

	Session open() {
		// A wrong format is told before anything is done
		format();
		return Session.open(settings(), this.surroundings.clock());
	}

	Session openFor(Duration patience) {
		return Session.open(settings(), this.surroundings.clock(), patience, patience);
	}

	int run(Consumer<Session> work) {
		try (Session session = open()) {
			work.accept(session);
			return 0;
		}
	}

	/**
	 * Does something with each of several names and returns the exit code; {@code act}
	 * returns whether it was done. One that fails is told and keeps no other from its
	 * turn.
	 */
	int each(Collection<String> names, BiFunction<String, AsynqException, String> error,
			BiPredicate<Session, String> act) {
		int code = 0;
		try (Session session = open()) {
			for (String name : names) {
				try {
					code |= act.test(session, name) ? 0 : 1;
				}
				catch (BrokerUnavailableException ex) {
					throw ex;
				}
				catch (AsynqException ex) {
					code = 1;
					tell(error.apply(name, ex));
				}
			}
		}
		return code;
	}

	/** Fails with Go's words for what the library says, unless Redis is away. */
	static <T> T orFail(String what, Supplier<T> work) {
		try {
			return work.get();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			throw new CommandFailedException(what + GoErrors.ofTask(ex));
		}
	}

	static Page page(int number, int size) {
		try {
			return Page.of(number, size);
		}
		catch (AsynqException ex) {
			throw new UsageException(String.valueOf(ex.getMessage()));
		}
	}

	static Duration duration(String flag, String text) {
		try {
			return GoDuration.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new UsageException(flag + ": " + ex.getMessage());
		}
	}

	OutputFormat format() {
		return OutputFormat.of(settings().get("output", "table"));
	}

	void print(Object value, Runnable text) {
		print(format(), value, text);
	}

	void print(OutputFormat format, Object value, Runnable text) {
		switch (format) {
			case TABLE, WIDE -> text.run();
			case JSON -> this.out.println(Json.INDENTED.writeValueAsString(value));
			case JSONL -> this.out.println(Json.WRITER.writeValueAsString(value));
		}
		this.out.flush();
	}

	void print(Object value, String text) {
		print(value, () -> this.out.println(text));
	}

	void printAll(Collection<?> entries, Runnable text) {
		if (format() == OutputFormat.JSONL) {
			entries.forEach((entry) -> this.out.println(Json.WRITER.writeValueAsString(entry)));
			this.out.flush();
			return;
		}
		print(List.copyOf(entries), text);
	}

	/** Prints a row for each entry, not wider than {@code columns} unless that is 0. */
	<T> void printTable(Collection<T> entries, String ifEmpty, int columns, Table table, BiConsumer<Table, T> row) {
		printAll(entries, () -> {
			if (entries.isEmpty()) {
				this.out.println(ifEmpty);
				return;
			}
			entries.forEach((entry) -> row.accept(table, entry));
			table.print(this.out, columns);
		});
	}

	void tell(String message) {
		this.out.flush();
		this.surroundings.err().println(message);
		this.surroundings.err().flush();
	}

	/**
	 * Tells people how many tasks in retry have not failed; without a terminal the output
	 * stays Go's.
	 */
	void tellWaiting(long tasks) {
		if (tasks > 0 && this.surroundings.terminal().isThere()) {
			this.out.println(tasks + " in retry wait for a limit and have not failed");
		}
	}

	/** Tells which queues could not be read, and returns 1 if there are some. */
	int tellUnreadable(Board board) {
		board.unreadable()
			.forEach((queue,
					reason) -> tell("error: queue " + Cell.text(queue) + " cannot be read: " + Cell.text(reason)));
		return board.unreadable().isEmpty() ? 0 : 1;
	}

	/**
	 * Asks, such as "Delete all 3 archived tasks", before something is done that
	 * {@code yes} did not confirm.
	 */
	void ask(boolean yes, String what) {
		if (yes || settings().isOn("yes")) {
			return;
		}
		if (!this.surroundings.terminal().isThere()) {
			throw new UsageException(
					what + "? Nobody is there to be asked: say --yes, or set ASYNQ_YES=true for scripts");
		}
		this.surroundings.err().print(what + "? [y/N] ");
		this.surroundings.err().flush();
		String answer = "";
		try {
			answer = String.valueOf(this.surroundings.in().readLine()).strip().toLowerCase(Locale.ROOT);
		}
		catch (IOException ex) {
			// Nothing is no as well
		}
		if (!answer.equals("y") && !answer.equals("yes")) {
			throw new CommandFailedException("Nothing was done");
		}
	}

	GoTimes times() {
		return new GoTimes(this.surroundings.clock());
	}

	/** Returns a title, bold on a terminal unless {@code NO_COLOR} is set. */
	String heading(String title) {
		Map<String, String> variables = this.surroundings.variables();
		boolean plain = !variables.getOrDefault("NO_COLOR", "").isEmpty() || "dumb".equals(variables.get("TERM"));
		return (!plain && this.surroundings.terminal().isThere()) ? "\u001b[1m" + title + "\u001b[0m" : title;
	}

	/** Returns how wide a line may be, 0 for as wide as it is. */
	int columns() {
		return (format() == OutputFormat.WIDE) ? 0 : this.surroundings.columns();
	}

	/** Shows a payload or a result: a person is told that it is empty. */
	String bytes(byte @Nullable [] bytes) {
		boolean empty = bytes == null || bytes.length == 0;
		return (empty && this.surroundings.terminal().isThere()) ? "(empty)" : Cell.bytes(bytes);
	}

	private Settings settings() {
		Settings known = this.settings;
		if (known == null) {
			Map<String, String> flags = new LinkedHashMap<>();
			this.options.forEach((option) -> {
				if (option.getValue() != null) {
					flags.put(option.longestName().substring(2), option.getValue().toString());
				}
			});
			Map<String, String> variables = this.surroundings.variables();
			String file = flags.getOrDefault("config", variables.get("ASYNQ_CONFIG"));
			known = new Settings(flags, variables, Settings.readFile(file, this.surroundings.home()));
			this.settings = known;
		}
		return known;
	}

	/** Loaded only if somebody wants JSON. */
	private static final class Json {

		static final ObjectWriter WRITER = JsonMapper.builder()
			.disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
			.build()
			.writer();

		static final ObjectWriter INDENTED = WRITER.with(SerializationFeature.INDENT_OUTPUT);

	}

	/** As Go's program prints, with more columns and none cut, or JSON. */
	enum OutputFormat {

		TABLE, WIDE, JSON, JSONL;

		boolean isText() {
			return this == TABLE || this == WIDE;
		}

		/** How flags name it. */
		String word() {
			return name().toLowerCase(Locale.ROOT);
		}

		static OutputFormat of(String name) {
			return Arrays.stream(values())
				.filter((format) -> format.word().equals(name))
				.findFirst()
				.orElseThrow(
						() -> new UsageException("--output must be table, wide, json or jsonl, but is '" + name + "'"));
		}

	}

}
