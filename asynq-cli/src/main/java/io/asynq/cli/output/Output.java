package io.asynq.cli.output;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Prints results, as text or as JSON.
 */
public final class Output {

	private final PrintWriter out;

	private final OutputFormat format;

	public Output(PrintWriter out, OutputFormat format) {
		this.out = out;
		this.format = format;
	}

	/**
	 * Prints one thing.
	 * @param value what is printed as JSON
	 * @param text prints it for people
	 */
	public void print(Object value, Consumer<PrintWriter> text) {
		switch (this.format) {
			case TABLE, WIDE -> text.accept(this.out);
			case JSON -> this.out.println(Json.indented(value));
			case JSONL -> this.out.println(Json.line(value));
		}
		this.out.flush();
	}

	/**
	 * Prints a list.
	 * @param entries what is printed as JSON
	 * @param text prints it for people
	 */
	public void printAll(Collection<?> entries, Consumer<PrintWriter> text) {
		if (this.format == OutputFormat.JSONL) {
			entries.forEach((entry) -> this.out.println(Json.line(entry)));
			this.out.flush();
			return;
		}
		print(List.copyOf(entries), text);
	}

	public OutputFormat format() {
		return this.format;
	}

}
