package io.asynq.cli.task;

import java.io.PrintWriter;
import java.util.concurrent.Callable;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskInfo;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Bytes;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.Heading;
import io.asynq.internal.text.GoDuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Shows one task. Behind the lines of Go's program stand those that it lacks.
 */
@Command(name = "inspect", description = "Display detailed information on the specified task.",
		footer = "  asynq task inspect -q default -i 1b4e28ba")
public final class TaskInspectCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final OneTask task = new OneTask();

	public TaskInspectCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return this.invocation.run((session) -> {
			TaskInfo info = read(session);
			this.invocation.output().print(info, (out) -> print(info, out));
		});
	}

	private TaskInfo read(Session session) {
		try {
			return session.inspector().taskInfo(this.task.queue(), this.task.id());
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			throw Invocation.failed("could not get task info: " + GoErrors.ofTask(ex));
		}
	}

	private void print(TaskInfo info, PrintWriter out) {
		Heading heading = this.invocation.heading();
		GoTimes times = this.invocation.times();
		out.println(heading.of("Task Info"));
		out.println("Queue:   " + Cell.text(info.queue()));
		out.println("ID:      " + Cell.text(info.id()));
		out.println("Type:    " + Cell.text(info.type()));
		out.println("State:   " + info.state().wireName());
		out.println("Retried: " + info.retried() + "/" + info.maxRetry());
		out.println();
		out.println("Next process time: " + times.next(info.waitsFor().isEmpty() ? info.nextProcessAt() : null));
		if (!info.waitsFor().isEmpty()) {
			out.println("Waits for limit:   " + Cell.text(String.join(", ", info.waitsFor())));
		}
		if (info.lastError() != null && !info.lastError().isEmpty()) {
			out.println();
			out.println(heading.of("Last Failure"));
			out.println("Failed at:     " + times.date(info.lastFailedAt()));
			out.println("Error message: " + Cell.text(info.lastError()));
		}
		out.println();
		out.println(heading.of("Options"));
		out.println("Timeout:   " + GoDuration.format(info.timeout()));
		if (info.deadline() != null) {
			out.println("Deadline:  " + times.date(info.deadline()));
		}
		out.println("Retention: " + GoDuration.format(info.retention()));
		if (info.group() != null) {
			out.println("Group:     " + Cell.text(info.group()));
		}
		if (info.completedAt() != null) {
			out.println("Completed: " + times.date(info.completedAt()));
		}
		info.headers()
			.forEach((name, value) -> out.println("Header:    " + Cell.text(name) + " = " + Cell.text(value)));
		print(heading.of("Payload"), info.payload(), out);
		if (info.result() != null) {
			print(heading.of("Result"), info.result(), out);
		}
	}

	private void print(String title, byte @Nullable [] bytes, PrintWriter out) {
		out.println();
		out.println(title + " (" + ((bytes != null) ? bytes.length : 0) + " bytes)");
		if (bytes == null || bytes.length == 0) {
			out.print(this.invocation.surroundings().terminal().isThere() ? "(empty)\n" : "");
		}
		Bytes.print(bytes, out);
	}

}
