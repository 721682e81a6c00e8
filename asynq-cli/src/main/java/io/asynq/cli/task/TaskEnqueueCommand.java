package io.asynq.cli.task;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.terminal.UsageException;
import io.asynq.internal.text.GoDuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Enqueues a task. Only flags that are given are applied.
 */
@Command(name = "enqueue", description = "Enqueue a task.",
		footer = "  asynq task enqueue -t mail:send -l '{\"to\":\"ada\"}' -q default --process_in 10m")
public final class TaskEnqueueCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Option(names = { "-t", "--type_name" }, required = true, paramLabel = "<type>",
			description = "Type name of the task.")
	private String type = "";

	@Mixin
	private final PayloadFlags payload = new PayloadFlags();

	@Option(names = "--retry", paramLabel = "<number>", description = "Maximum retries.")
	private @Nullable Integer retry;

	@Option(names = { "-q", "--queue" }, paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Queue of the task.")
	private @Nullable String queue;

	@Option(names = { "-i", "--id" }, paramLabel = "<id>", description = "Id of the task.")
	private @Nullable String id;

	@Option(names = "--timeout", paramLabel = "<duration>", description = "Time limit of an attempt, such as 30s.")
	private @Nullable String timeout;

	@Option(names = "--deadline", paramLabel = "<time>",
			description = "When an attempt must have ended, such as 2026-11-22T15:00:00Z.")
	private @Nullable String deadline;

	@Option(names = "--unique", paramLabel = "<duration>", description = "How long no second such task is taken.")
	private @Nullable String unique;

	@Option(names = "--process_at", paramLabel = "<time>", description = "When the task is due.")
	private @Nullable String processAt;

	@Option(names = "--process_in", paramLabel = "<duration>", description = "After which time the task is due.")
	private @Nullable String processIn;

	@Option(names = "--retention", paramLabel = "<duration>", description = "How long the completed task is kept.")
	private @Nullable String retention;

	@Option(names = { "-g", "--group" }, paramLabel = "<group>", description = "Group of the task.")
	private @Nullable String group;

	@Option(names = "--header", paramLabel = "<name=value>", description = "A header; may be repeated.")
	private final Map<String, String> headers = new LinkedHashMap<>();

	public TaskEnqueueCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		byte[] bytes = this.payload.bytes();
		TaskOptions options = options();
		return this.invocation.run((session) -> {
			TaskInfo info = enqueue(session, bytes, options);
			this.invocation.output()
				.print(info, (out) -> out
					.println("Enqueued task " + Cell.text(info.id()) + " to queue " + Cell.text(info.queue())));
		});
	}

	private TaskInfo enqueue(Session session, byte[] bytes, TaskOptions options) {
		try {
			return session.client().enqueue(Task.of(this.type, bytes), options);
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			throw Invocation.failed("could not enqueue task: " + GoErrors.ofTask(ex));
		}
	}

	private TaskOptions options() {
		try {
			return TaskOptions.of((options) -> {
				set(this.retry, Function.identity(), options::maxRetry);
				set(this.queue, Function.identity(), options::queue);
				set(this.id, Function.identity(), options::taskId);
				set(this.timeout, (text) -> duration("timeout", text), options::timeout);
				set(this.deadline, (text) -> time("deadline", text), options::deadline);
				set(this.unique, (text) -> duration("unique", text), options::unique);
				set(this.processAt, (text) -> time("process_at", text), options::processAt);
				set(this.processIn, (text) -> duration("process_in", text), options::processIn);
				set(this.retention, (text) -> duration("retention", text), options::retention);
				set(this.group, Function.identity(), options::group);
				this.headers.forEach(options::header);
			});
		}
		catch (InvalidTaskException ex) {
			throw new UsageException("could not enqueue task: " + ex.getMessage());
		}
	}

	private static <T, V> void set(@Nullable T flag, Function<T, V> value, Consumer<V> option) {
		if (flag != null) {
			option.accept(value.apply(flag));
		}
	}

	private static Duration duration(String flag, String text) {
		try {
			return GoDuration.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new UsageException("--" + flag + ": " + ex.getMessage());
		}
	}

	private static Instant time(String flag, String text) {
		try {
			return OffsetDateTime.parse(text).toInstant();
		}
		catch (DateTimeException ex) {
			throw new UsageException(
					"--" + flag + " must be a time such as 2026-11-22T15:00:00Z, but is '" + text + "'");
		}
	}

}
