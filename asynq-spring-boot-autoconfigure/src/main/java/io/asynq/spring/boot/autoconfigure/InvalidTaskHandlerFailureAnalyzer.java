package io.asynq.spring.boot.autoconfigure;

import io.asynq.annotation.DuplicateTaskHandlerException;
import io.asynq.annotation.InvalidTaskHandlerException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains the mistakes of an {@link InvalidTaskHandlerException}.
 */
final class InvalidTaskHandlerFailureAnalyzer extends AbstractFailureAnalyzer<InvalidTaskHandlerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidTaskHandlerException cause) {
		StringBuilder description = new StringBuilder(
				"Task handlers of the application are not valid:%n%n".formatted());
		cause.problems().forEach((problem) -> description.append("\t- %s%n".formatted(problem)));
		return new FailureAnalysis(description.toString(), action(cause), cause);
	}

	private static String action(InvalidTaskHandlerException cause) {
		return (cause instanceof DuplicateTaskHandlerException)
				? "Leave one @TaskHandler method per task type: remove the others or give them another type."
				: "Correct the @TaskHandler methods named above.";
	}

}
