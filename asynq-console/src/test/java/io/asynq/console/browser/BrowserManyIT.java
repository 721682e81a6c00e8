package io.asynq.console.browser;

import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Several browsers look at one console, and at the consoles of applications of other
 * kinds. None of the scripts changes what another looks at.
 */
@Tag("full")
class BrowserManyIT {

	private static OpenShop shop;

	@BeforeAll
	static void start() throws InterruptedException {
		shop = new OpenShop("many");
		shop.tell(() -> {
		});
	}

	@AfterAll
	static void stop() {
		shop.close();
	}

	@Test
	void manyBrowsersCostWhatOneCosts() {
		shop.run("crowd");
	}

	@Test
	void worksInWebFlux() throws InterruptedException {
		try (ShopProcess reactive = shop.start(Kind.REACTIVE, "reactive")) {
			shop.run("host", OpenShop.url(reactive.awaitReady()), Map.of());
		}
	}

	@Test
	void asksWhoSomebodyIsAlsoBehindNginx() throws InterruptedException {
		try (ShopProcess guarded = shop.start(Kind.GUARDED, "guarded", "--server.forward-headers-strategy=framework");
				Nginx nginx = Nginx.start(shop.log("nginx"), guarded.awaitReady().port())) {
			shop.run("users", OpenShop.url(guarded), Map.of());
			shop.run("users", nginx.url(), Map.of());
		}
	}

	@Test
	void asksForReasonsAndKnowsPagesOfAnotherVersion() throws InterruptedException {
		try (ShopProcess other = shop.start(Kind.OTHER_VERSION, "other-version",
				"--asynq.console.require-reason=true")) {
			shop.run("reason", OpenShop.url(other.awaitReady()), Map.of("LOG", shop.log("other-version").toString()));
			shop.run("version", Map.of("OTHER_HOST", OpenShop.url(other)));
		}
	}

}
