package io.asynq.console;

import java.util.stream.Stream;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Users of an application, and chains that it may have.
 */
final class ConsoleUsers {

	private ConsoleUsers() {
	}

	static UserDetails[] all() {
		return Stream.of("nobody", "viewer", "operator", "admin")
			.map((name) -> User.withUsername(name)
				.password("{noop}secret")
				.authorities(name.equals("nobody") ? "SHOPPER" : "ASYNQ_" + name.toUpperCase())
				.build())
			.toArray(UserDetails[]::new);
	}

	/**
	 * An application that has users, and leaves the rest to Spring Boot.
	 */
	@Configuration(proxyBeanMethods = false)
	static class BootChain {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(all());
		}

	}

	/**
	 * An application that protects one URL and lets everybody see the others: the console
	 * protects itself.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OwnChain extends BootChain {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/orders").authenticated().anyRequest().permitAll())
				.formLogin(Customizer.withDefaults())
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.spa())
				.build();
		}

	}

}
