package io.asynq.cli.task;

import java.util.ArrayList;
import java.util.List;

import io.asynq.cli.terminal.UsageException;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskFilterException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Flags that choose some tasks. All must hold.
 */
public final class FilterFlags {

	@Option(names = "--filter", paramLabel = "<filter>",
			description = "Only tasks that pass, such as 'type:mail:* error:\"connection reset\" older:30m'.")
	private @Nullable String filter;

	@Option(names = "--type", paramLabel = "<type>",
			description = "Only tasks of this type; with a star at its end, of types that begin so.")
	private @Nullable String type;

	@Option(names = "--error", paramLabel = "<part>", description = "Only tasks whose last error contains this.")
	private @Nullable String error;

	@Option(names = "--contains", paramLabel = "<part>", description = "Only tasks whose payload contains this.")
	private @Nullable String payload;

	@Option(names = "--older", paramLabel = "<duration>",
			description = "Only tasks whose last failure, else completion, else due time is at least this long ago.")
	private @Nullable String older;

	@Option(names = "--newer", paramLabel = "<duration>", description = "… is at most this long ago.")
	private @Nullable String newer;

	/** Returns the filter. */
	public TaskFilter filter() {
		List<String> words = new ArrayList<>();
		if (this.filter != null) {
			words.add(this.filter);
		}
		add(words, "type", this.type);
		add(words, "error", this.error);
		add(words, "payload", this.payload);
		add(words, "older", this.older);
		add(words, "newer", this.newer);
		try {
			return TaskFilter.parse(String.join(" ", words));
		}
		catch (TaskFilterException ex) {
			throw new UsageException(String.valueOf(ex.getMessage()));
		}
	}

	private static void add(List<String> words, String key, @Nullable String value) {
		if (value != null) {
			words.add(key + ":\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
		}
	}

}
