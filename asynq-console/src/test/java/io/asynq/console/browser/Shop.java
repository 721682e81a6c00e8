package io.asynq.console.browser;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

/**
 * An application with the console. Whether it is one of Spring MVC or WebFlux, and has
 * Spring Security or none, depends on its class path alone.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(ShopTasks.class)
class Shop {

	public static void main(String[] args) {
		SpringApplication.run(Shop.class, args);
	}

	@EventListener(ApplicationReadyEvent.class)
	void ready() {
		System.out.println("ready");
	}

}
