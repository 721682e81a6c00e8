package io.asynq.spring.boot.test;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Tells the application context of a test its mode. Only Spring's test framework calls
 * this.
 */
final class AsynqContextCustomizerFactory implements ContextCustomizerFactory {

	/** Name of the bean that is the mode. */
	static final String MODE = "asynqTestMode";

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> attributes) {
		AutoConfigureAsynq annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureAsynq.class);
		return (annotation != null) ? new Customizer(annotation.mode()) : null;
	}

	/** Part of the key under which contexts are kept, so that each mode has its own. */
	private record Customizer(AutoConfigureAsynq.Mode mode) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration config) {
			context.getBeanFactory().registerSingleton(MODE, this.mode);
			// A relay would send in a thread of its own, and needs marks in Redis:
			// instead, tasks wait for
			// the commit in memory
			TestPropertyValues.of("asynq.server.auto-startup=false", "asynq.outbox.enabled=false").applyTo(context);
		}

	}

}
