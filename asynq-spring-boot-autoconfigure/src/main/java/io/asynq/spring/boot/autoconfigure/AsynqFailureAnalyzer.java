package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.annotation.DuplicateTaskHandlerException;
import io.asynq.annotation.InvalidTaskAggregatorException;
import io.asynq.annotation.InvalidTaskHandlerException;
import io.asynq.operations.preflight.Finding;
import io.asynq.operations.preflight.PreflightFailedException;
import io.asynq.schedule.DuplicatePeriodicTaskException;
import io.asynq.schedule.InvalidPeriodicTaskException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class AsynqFailureAnalyzer extends AbstractFailureAnalyzer<AsynqException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, AsynqException cause) {
		if (cause instanceof InvalidAsynqPropertyException invalid) {
			return new FailureAnalysis(
					"The configuration property '" + invalid.property() + "' is '" + invalid.value() + "'. "
							+ invalid.reason(),
					"Change '" + invalid.property() + "' in your application's configuration.", cause);
		}
		if (cause instanceof PreflightFailedException failed) {
			return new FailureAnalysis(
					"'asynq.server.preflight' is 'fail', and the check of Redis found:\n\n"
							+ lines(failed, Finding::problem),
					"Do this, or set 'asynq.server.preflight' to 'warn':\n\n" + lines(failed, Finding::fix), cause);
		}
		if (cause instanceof InvalidTaskHandlerException invalid) {
			return analysis("Task handlers", invalid.problems(), (cause instanceof DuplicateTaskHandlerException)
					? "Leave one @TaskHandler method per task type: remove the others or give them another type."
					: "Correct the @TaskHandler methods named above.", cause);
		}
		if (cause instanceof InvalidTaskAggregatorException invalid) {
			return analysis("Aggregators", invalid.problems(),
					"Correct the @TaskAggregator methods and TaskAggregatorFunction beans named above.", cause);
		}
		if (cause instanceof InvalidPeriodicTaskException invalid) {
			return analysis("Periodic tasks", invalid.problems(), (cause instanceof DuplicatePeriodicTaskException)
					? "Give each periodic task its own id, or remove the duplicate."
					: "Correct the @PeriodicTask methods, PeriodicTaskDefinition beans or 'asynq.scheduler.entries' named above.",
					cause);
		}
		return null;
	}

	private static FailureAnalysis analysis(String what, List<String> problems, String action, AsynqException cause) {
		String list = problems.stream().map("\t- %s%n"::formatted).collect(Collectors.joining());
		return new FailureAnalysis("%s of the application are not valid:%n%n%s".formatted(what, list), action, cause);
	}

	private static String lines(PreflightFailedException cause, Function<Finding, String> part) {
		return cause.findings()
			.stream()
			.map((finding) -> "  - " + part.apply(finding))
			.collect(Collectors.joining("\n"));
	}

}
