package io.asynq.console;

import java.util.stream.Stream;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CookieServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.ServerCsrfTokenRequestAttributeHandler;

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

	/**
	 * The same with WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ReactiveBootChain {

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(all());
		}

	}

	/**
	 * The same with WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ReactiveOwnChain extends ReactiveBootChain {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http
				.authorizeExchange(
						(exchanges) -> exchanges.pathMatchers("/orders").authenticated().anyExchange().permitAll())
				.formLogin(Customizer.withDefaults())
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.csrfTokenRepository(CookieServerCsrfTokenRepository.withHttpOnlyFalse())
					.csrfTokenRequestHandler(new ServerCsrfTokenRequestAttributeHandler()))
				.build();
		}

	}

	/**
	 * The console has a chain of its own with HTTP Basic and the token in the session;
	 * the rest of the application has another.
	 */
	@Configuration(proxyBeanMethods = false)
	static class TwoChains extends BootChain {

		@Bean
		@Order(1)
		SecurityFilterChain console(HttpSecurity http) throws Exception {
			return http.securityMatcher(AsynqConsole.requestMatcher())
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		@Order(2)
		SecurityFilterChain rest(HttpSecurity http) throws Exception {
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/orders").authenticated().anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * A chain that does not see the console.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ChainElsewhere extends BootChain {

		@Bean
		SecurityFilterChain orders(HttpSecurity http) throws Exception {
			return http.securityMatcher("/orders")
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

}
