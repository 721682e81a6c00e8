package io.asynq.spring.boot.test;

import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Stops the start of an application context that Spring's test framework has not
 * prepared: its tasks would be lost with the JVM.
 */
final class TestsOnly implements ImportBeanDefinitionRegistrar {

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		if (!(registry instanceof SingletonBeanRegistry beans)
				|| !beans.containsSingleton(AsynqContextCustomizerFactory.MODE)) {
			throw new IllegalStateException("@AutoConfigureAsynq works in tests only, because it keeps tasks in memory:"
					+ " put it, or @AsynqTest, on a test class that runs with Spring's test framework, and remove it"
					+ " from the application. Give asynq-spring-boot-starter-test the scope 'test'");
		}
	}

}
