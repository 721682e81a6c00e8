package io.asynq.spring.boot.autoconfigure;

import java.lang.annotation.Annotation;
import java.util.Set;
import java.util.stream.Stream;

import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskHandlers;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskMux;
import io.asynq.internal.server.ServerComponents;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * A child of a context that has a server needs its own only for its own handlers.
 */
final class OnHandlersHere extends SpringBootCondition implements ConfigurationCondition {

	private static final Set<Class<? extends Annotation>> ANNOTATIONS = Set.of(TaskHandler.class, TaskHandlers.class,
			TaskAggregator.class);

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		ConditionMessage.Builder message = ConditionMessage.forCondition("Asynq server");
		if (beans == null || !isBelowServer(beans)) {
			return ConditionOutcome.match(message.because("no parent context has one"));
		}
		return hasHandlers(beans) ? ConditionOutcome.match(message.because("the context has handlers of its own"))
				: ConditionOutcome.noMatch(message.because("a parent context has one, and there are no handlers here"));
	}

	static boolean isBelowServer(ConfigurableListableBeanFactory beans) {
		BeanFactory parent = beans.getParentBeanFactory();
		return parent != null && parent.getBeanProvider(ServerComponents.class).stream().findAny().isPresent();
	}

	private static boolean hasHandlers(ConfigurableListableBeanFactory beans) {
		return Stream.of(TaskMux.class, TaskAggregators.class, TaskAggregatorFunction.class)
			.anyMatch((type) -> beans.getBeanNamesForType(type, true, false).length > 0)
				|| Stream.of(beans.getBeanDefinitionNames())
					.map((name) -> beans.getType(name, false))
					.anyMatch(OnHandlersHere::isHandler);
	}

	private static boolean isHandler(@Nullable Class<?> type) {
		try {
			return type != null && ANNOTATIONS.stream()
				.anyMatch((annotation) -> AnnotationUtils.isCandidateClass(type, annotation)
						&& !MethodIntrospector.selectMethods(type, having(annotation)).isEmpty());
		}
		catch (LinkageError | TypeNotPresentException ex) {
			// A class of a library whose own dependency is missing
			return false;
		}
	}

	private static MethodIntrospector.MetadataLookup<Boolean> having(Class<? extends Annotation> annotation) {
		return (method) -> AnnotatedElementUtils.hasAnnotation(method, annotation) ? Boolean.TRUE : null;
	}

}
