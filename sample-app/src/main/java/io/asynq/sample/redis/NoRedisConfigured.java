package io.asynq.sample.redis;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches when no property says which Redis to use: {@code spring.data.redis.url},
 * {@code host}, {@code port}, {@code sentinel} and so on, in any spelling and from any
 * source. Properties that tune the client only do not count.
 */
final class NoRedisConfigured extends SpringBootCondition {

	private static final String PREFIX = "spring.data.redis";

	private static final Set<String> TUNING = Set.of("client-type", "client-name", "timeout", "connect-timeout",
			"jedis", "lettuce", "repositories", "listener");

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Set<String> names = new TreeSet<>(Binder.get(context.getEnvironment())
			.bind(PREFIX, Bindable.mapOf(String.class, Object.class))
			.orElseGet(Map::of)
			.keySet());
		names.removeIf(NoRedisConfigured::isTuning);
		ConditionMessage.Builder message = ConditionMessage.forCondition("Redis settings");
		return names.isEmpty() ? ConditionOutcome.match(message.because("none names a Redis"))
				: ConditionOutcome.noMatch(message.found("property", "properties").items(names));
	}

	private static boolean isTuning(String name) {
		String root = name.split("\\.", 2)[0];
		return TUNING.stream().anyMatch((tuning) -> plain(tuning).equals(plain(root)));
	}

	private static String plain(String name) {
		return name.replace("-", "").replace("_", "").toLowerCase(java.util.Locale.ROOT);
	}

}
