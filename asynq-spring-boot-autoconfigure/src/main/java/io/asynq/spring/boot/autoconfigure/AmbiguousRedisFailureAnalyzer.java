package io.asynq.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Must come before Spring Boot's analyzer, which does not know asynq's qualifiers.
 */
final class AmbiguousRedisFailureAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException>
		implements Ordered {

	static final String CONNECTIONS = "asynqConnectionFactory";

	static final String SERVER_CONNECTIONS = "asynqServerConnections";

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
		String needing = needing(rootFailure);
		String action;
		if (CONNECTIONS.equals(needing)) {
			action = "Mark the one for tasks with @AsynqRedis and no other, or the application's main one with"
					+ " @Primary. One that only asynq uses is best declared with @AsynqRedis and"
					+ " @Bean(defaultCandidate = false).";
		}
		else if (SERVER_CONNECTIONS.equals(needing)) {
			action = "Mark only one of them with @AsynqServerRedis.";
		}
		else {
			return null;
		}
		return new FailureAnalysis("asynq needs one RedisConnectionFactory, but found " + cause.getNumberOfBeansFound()
				+ ": " + String.join(", ", cause.getBeanNamesFound()) + ".", action, cause);
	}

	/** The bean whose own creation has failed. */
	private static @Nullable String needing(Throwable failure) {
		String name = null;
		for (Throwable each = failure; each != null; each = each.getCause()) {
			name = (each instanceof BeanCreationException creation) ? creation.getBeanName() : name;
		}
		return name;
	}

}
