package io.asynq.spring.boot.autoconfigure;

import io.asynq.scheduler.DuplicatePeriodicTaskException;
import io.asynq.scheduler.InvalidPeriodicTaskException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains an {@link InvalidPeriodicTaskException}, that is all mistakes in periodic
 * tasks that are known at once.
 */
final class InvalidPeriodicTaskFailureAnalyzer extends AbstractFailureAnalyzer<InvalidPeriodicTaskException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidPeriodicTaskException cause) {
		StringBuilder description = new StringBuilder(
				"Periodic tasks cannot be scheduled as the application asks for:%n%n".formatted());
		cause.problems().forEach((problem) -> description.append("\t- ").append(problem).append("%n".formatted()));
		return new FailureAnalysis(description.toString(), action(cause), cause);
	}

	private static String action(InvalidPeriodicTaskException cause) {
		return (cause instanceof DuplicatePeriodicTaskException)
				? "Give each periodic task an id of its own, or remove the one that is there twice."
				: "Correct the @PeriodicTask methods, PeriodicTask beans or 'asynq.scheduler.entries' named above.";
	}

}
