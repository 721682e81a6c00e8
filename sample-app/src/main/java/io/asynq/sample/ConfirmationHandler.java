package io.asynq.sample;

import java.time.Duration;

import io.asynq.annotation.TaskHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Sends confirmation mails.
 */
@Component
class ConfirmationHandler {

	private static final Logger logger = LoggerFactory.getLogger(ConfirmationHandler.class);

	@TaskHandler("mail:confirmation")
	void send(SendConfirmation confirmation) {
		SimulatedWork.lasting(Duration.ofMillis(10));
		logger.debug("Order {} confirmed by mail", confirmation.orderId());
	}

}
