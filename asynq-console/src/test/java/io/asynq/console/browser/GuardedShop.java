package io.asynq.console.browser;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * A {@link Shop} behind Spring Boot's own filter chain, with one user for each of the
 * console's authorities.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ Shop.class, ShopTasks.class })
class GuardedShop {

	public static void main(String[] args) {
		SpringApplication.run(GuardedShop.class, args);
	}

	@Bean
	InMemoryUserDetailsManager users() {
		return new InMemoryUserDetailsManager(user("viewer", "ASYNQ_VIEWER"),
				user("operator", "ASYNQ_VIEWER", "ASYNQ_OPERATOR"),
				user("admin", "ASYNQ_VIEWER", "ASYNQ_OPERATOR", "ASYNQ_ADMIN"), user("stranger", "SHOPPER"));
	}

	private static UserDetails user(String name, String... authorities) {
		return User.withUsername(name).password("{noop}" + name).authorities(authorities).build();
	}

}
