package io.asynq.spring.boot.autoconfigure;

import io.asynq.annotation.InvalidTaskAggregatorException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains the mistakes of an {@link InvalidTaskAggregatorException}.
 */
final class InvalidTaskAggregatorFailureAnalyzer extends AbstractFailureAnalyzer<InvalidTaskAggregatorException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidTaskAggregatorException cause) {
		StringBuilder description = new StringBuilder("Aggregators of the application are not valid:%n%n".formatted());
		cause.problems().forEach((problem) -> description.append("\t- %s%n".formatted(problem)));
		return new FailureAnalysis(description.toString(),
				"Correct the @TaskAggregator methods and TaskAggregatorFunction beans named above.", cause);
	}

}
