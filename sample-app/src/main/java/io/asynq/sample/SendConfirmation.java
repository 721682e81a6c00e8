package io.asynq.sample;

import io.asynq.TaskDefaults;

/**
 * Task: send the confirmation mail, some time after the order.
 */
@TaskDefaults(type = "mail:confirmation", queue = "default")
record SendConfirmation(String orderId, String recipient) {
}
