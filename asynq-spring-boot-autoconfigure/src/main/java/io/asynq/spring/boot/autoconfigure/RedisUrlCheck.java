package io.asynq.spring.boot.autoconfigure;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Spring Boot's error for a URL of Redis that it cannot read quotes the password in the
 * log; a URL that it does not read may be anything.
 */
final class RedisUrlCheck implements BeanFactoryPostProcessor {

	private static final String PROPERTY = "spring.data.redis.url";

	private static final Set<String> SCHEMES = Set.of("redis", "rediss");

	private final Environment environment;

	RedisUrlCheck(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		String url = this.environment.getProperty(PROPERTY);
		if (url != null && !isReadable(url) && isReadByBoot(beans)) {
			throw new InvalidAsynqPropertyException(PROPERTY, "******",
					"It is not shown, because it may contain a password. It must be redis://user:password@host:port/database,"
							+ " or begin with rediss:// for TLS; in user and password all characters but letters, digits"
							+ " and -._~ must be percent-encoded.");
		}
	}

	private static boolean isReadByBoot(ConfigurableListableBeanFactory beans) {
		return Stream.of(beans.getBeanNamesForType(RedisConnectionFactory.class, true, false))
			.filter(beans::containsBeanDefinition)
			.map((name) -> beans.getBeanDefinition(name).getFactoryBeanName())
			.anyMatch((factory) -> factory != null
					&& factory.startsWith(DataRedisAutoConfiguration.class.getPackageName() + "."));
	}

	private static boolean isReadable(String url) {
		try {
			return SCHEMES.contains(String.valueOf(new URI(url).getScheme()));
		}
		catch (URISyntaxException ex) {
			return false;
		}
	}

}
