package io.asynq.spring.boot.autoconfigure;

import io.asynq.annotation.InvalidTaskAggregatorException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains an {@link InvalidTaskAggregatorException}, that is all mistakes in
 * {@code @TaskAggregator} methods and {@code GroupAggregator} beans at once.
 */
final class InvalidTaskAggregatorFailureAnalyzer extends AbstractFailureAnalyzer<InvalidTaskAggregatorException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidTaskAggregatorException cause) {
		StringBuilder description = new StringBuilder(
				"Groups of tasks cannot be aggregated as the application asks for:%n%n".formatted());
		cause.problems().forEach((problem) -> description.append("\t- %s%n".formatted(problem)));
		return new FailureAnalysis(description.toString(),
				"Correct the @TaskAggregator methods and GroupAggregator beans named above.", cause);
	}

}
