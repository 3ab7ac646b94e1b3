! One mistake, one message: an INTENT(IN) argument that a PURE procedure changes.
pure subroutine step(t, dt)
  real(8), intent(inout) :: t
  real(8), intent(in) :: dt
  t = t + dt
  dt = dt*0.5d0
end subroutine
