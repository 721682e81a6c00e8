/**
 * The console in Spring MVC.
 */
@NullMarked
package io.asynq.console.servlet;

import org.jspecify.annotations.NullMarked;
