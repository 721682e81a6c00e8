package io.asynq.spring.boot.test;

import io.asynq.internal.event.TaskEvents;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Has listeners called in the test's thread, so that a test need not wait for them. */
final class DirectListeners implements BeanPostProcessor {

	@Override
	public Object postProcessBeforeInitialization(Object bean, String name) {
		if (bean instanceof TaskEvents events && events.isOn()) {
			events.callListenersDirectly();
		}
		return bean;
	}

}
