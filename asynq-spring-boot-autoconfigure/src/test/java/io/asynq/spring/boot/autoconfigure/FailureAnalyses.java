package io.asynq.spring.boot.autoconfigure;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/**
 * Explains failed starts as Spring Boot does, with every analyzer on the class path.
 */
final class FailureAnalyses {

	private FailureAnalyses() {
	}

	static FailureAnalysis of(@Nullable Throwable failure) {
		if (failure == null) {
			throw new AssertionError("The application was to fail, but started");
		}
		ArgumentResolver arguments = ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
			.and(Environment.class, new StandardEnvironment());
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, arguments, (type, name, error) -> {
				// Analyzers of libraries that are not on the class path
			})
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new AssertionError("Nothing explains the failure", failure));
	}

}
