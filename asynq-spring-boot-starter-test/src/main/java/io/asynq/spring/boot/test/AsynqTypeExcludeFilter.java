package io.asynq.spring.boot.test;

import java.io.IOException;
import java.util.Set;

import io.asynq.EnqueueInterceptor;
import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.PeriodicTasks;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskHandlers;
import io.asynq.context.ContextPropagator;
import io.asynq.event.TaskListener;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.handler.TaskInterceptor;
import io.asynq.payload.PayloadConverter;
import io.asynq.schedule.PeriodicTaskProvider;
import io.asynq.schedule.SchedulerListener;
import io.asynq.spring.boot.autoconfigure.AsynqClientCustomizer;
import io.asynq.spring.boot.autoconfigure.AsynqJsonMapperCustomizer;
import io.asynq.spring.boot.autoconfigure.AsynqServerCustomizer;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Leaves out components that have nothing to do with tasks. */
final class AsynqTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<AsynqTest> {

	private static final Set<Class<?>> TYPES = Set.of(PayloadConverter.class, TaskInterceptor.class,
			EnqueueInterceptor.class, ContextPropagator.class, TaskErrorHandler.class, TaskListener.class,
			TaskAggregatorFunction.class, RetryDelayPolicy.class, FailurePredicate.class, TaskDecorator.class,
			PeriodicTaskProvider.class, SchedulerListener.class, AsynqClientCustomizer.class,
			AsynqServerCustomizer.class, AsynqJsonMapperCustomizer.class);

	private static final Set<Class<?>> ON_METHODS = Set.of(TaskHandler.class, TaskHandlers.class, TaskAggregator.class,
			PeriodicTask.class, PeriodicTasks.class);

	AsynqTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return TYPES;
	}

	@Override
	protected boolean defaultInclude(MetadataReader component, MetadataReaderFactory readers) throws IOException {
		AnnotationMetadata annotations = component.getAnnotationMetadata();
		return ON_METHODS.stream().anyMatch((annotation) -> annotations.hasAnnotatedMethods(annotation.getName()))
				|| super.defaultInclude(component, readers);
	}

}
