package io.asynq.spring.boot.autoconfigure;

import java.util.EnumSet;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.server.ServerComponents;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Components are beans, so that Spring starts and stops them in the order of their
 * phases.
 */
final class ServerComponentBeans implements BeanRegistrar {

	@Override
	public void register(BeanRegistry registry, Environment environment) {
		EnumSet.range(ServerPhase.HEARTBEATER, ServerPhase.FORWARDER)
			.forEach((phase) -> registry.registerBean(name(phase), SmartLifecycle.class,
					(bean) -> bean.supplier((context) -> context.bean(ServerComponents.class).part(phase))));
	}

	private static String name(ServerPhase phase) {
		return Stream.of(phase.name().toLowerCase(Locale.ROOT).split("_"))
			.map(StringUtils::capitalize)
			.collect(Collectors.joining("", "asynq", ""));
	}

}
