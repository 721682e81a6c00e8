package io.asynq.spring.boot.autoconfigure;

import io.asynq.scheduler.DuplicatePeriodicTaskException;
import io.asynq.scheduler.InvalidPeriodicTaskException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains the mistakes of an {@link InvalidPeriodicTaskException}.
 */
final class InvalidPeriodicTaskFailureAnalyzer extends AbstractFailureAnalyzer<InvalidPeriodicTaskException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidPeriodicTaskException cause) {
		StringBuilder description = new StringBuilder(
				"Periodic tasks of the application are not valid:%n%n".formatted());
		cause.problems().forEach((problem) -> description.append("\t- ").append(problem).append("%n".formatted()));
		return new FailureAnalysis(description.toString(), action(cause), cause);
	}

	private static String action(InvalidPeriodicTaskException cause) {
		return (cause instanceof DuplicatePeriodicTaskException)
				? "Give each periodic task its own id, or remove the duplicate."
				: "Correct the @PeriodicTask methods, PeriodicTask beans or 'asynq.scheduler.entries' named above.";
	}

}
