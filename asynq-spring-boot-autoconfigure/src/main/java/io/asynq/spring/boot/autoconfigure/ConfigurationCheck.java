package io.asynq.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.asynq.internal.text.OneLineLogger;
import io.asynq.operations.preflight.PreflightMode;
import org.slf4j.Logger;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Property binding says nothing of unknown properties and of durations without a unit.
 */
final class ConfigurationCheck {

	private static final Logger logger = OneLineLogger.of(ConfigurationCheck.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("asynq");

	/** Several applications may share their settings, and not all have these modules. */
	private static final List<ConfigurationPropertyName> MODULES = Stream.of("asynq.console", "asynq.outbox")
		.map(ConfigurationPropertyName::of)
		.toList();

	private final Environment environment;

	private final Binder binder;

	private final ListableBeanFactory beans;

	private final KnownProperties known;

	private ConfigurationCheck(Environment environment, ListableBeanFactory beans, KnownProperties known) {
		this.environment = environment;
		this.binder = Binder.get(environment);
		this.beans = beans;
		this.known = known;
	}

	/** Throws only if the preflight is to fail. */
	static void run(Environment environment, ListableBeanFactory beans) {
		KnownProperties known = KnownProperties.ofClassPath();
		if (!known.isEmpty()) {
			new ConfigurationCheck(environment, beans, known).run();
		}
	}

	private void run() {
		Set<ConfigurationPropertyName> durations = new LinkedHashSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource properties) {
				properties.stream()
					.filter(ROOT::isAncestorOf)
					.forEach((name) -> this.known.find(name).ifPresentOrElse((found) -> {
						if (found.isDuration()) {
							durations.add(found.name());
						}
					}, () -> unknown(name, source)));
			}
		}
		durations.forEach(this::duration);
	}

	private void unknown(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		ConfigurationPropertyName meant = this.known.nearest(name);
		if ((meant == null && isShared(source)) || isOfOthers(name)) {
			return;
		}
		String hint = (meant != null) ? "did you mean '" + meant + "'?" : "correct or remove it";
		if (this.binder.bind("asynq.server.preflight", PreflightMode.class)
			.orElse(PreflightMode.WARN) == PreflightMode.FAIL) {
			throw new InvalidAsynqPropertyException(name.toString(), "******",
					"It is unknown and has no effect: " + hint);
		}
		logger.warn("Property '{}'{} is unknown and has no effect: {}", name, origin(name, source), hint);
	}

	/** Environment variables and system properties may be those of other programs. */
	private static boolean isShared(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource
				|| !new UnboundElementsSourceFilter().apply(source);
	}

	private static String origin(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		return (property != null && property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "";
	}

	/** Those of a module that is not there, and of the application itself. */
	private boolean isOfOthers(ConfigurationPropertyName name) {
		return MODULES.stream().anyMatch((module) -> module.isAncestorOf(name) && !this.known.hasAnyBelow(module))
				|| Arrays.stream(this.beans.getBeanDefinitionNames())
					.map((bean) -> this.beans.findAnnotationOnBean(bean, ConfigurationProperties.class, false))
					.filter(Objects::nonNull)
					.map((annotation) -> ConfigurationPropertyName.adapt(annotation.prefix(), '.'))
					.anyMatch((prefix) -> ROOT.isAncestorOf(prefix) && prefix.isAncestorOf(name)
							&& !this.known.hasAnyBelow(prefix));
	}

	private void duration(ConfigurationPropertyName name) {
		String value = this.binder.bind(name, Bindable.of(String.class)).orElse("").strip();
		if (value.matches("[+-]?0*[1-9]\\d*")) {
			logger.warn(
					"Property '{}' is {}, without a unit, and is taken for {} milliseconds: write {}ms, or {}s if seconds are meant",
					name, value, value, value, value);
		}
	}

}
