package io.asynq.broker.check;

import java.util.List;

/**
 * The result of a check.
 *
 * @param findings what is wrong
 * @param notChecked what could not be asked, each with the reason
 */
public record StoreReport(List<Finding> findings, List<String> notChecked) {
}
