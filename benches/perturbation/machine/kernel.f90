! Interprets a program of 16 instructions.
subroutine interpret(code, m, steps, acc)
  implicit none
  integer, intent(in) :: m, code(m), steps
  integer, intent(out) :: acc
  integer :: pc, reg, step
  acc = 0
  reg = 1
  pc = 1
  do step = 1, steps
    select case (code(pc))
    case (0)
      acc = iand(acc + 1, 65535)
    case (1)
      acc = acc - 1
    case (2)
      acc = ieor(acc, 255)
    case (3)
      acc = acc - iand(reg, 7)
    case (4)
      reg = acc
    case (5)
      reg = reg + 1
    case (6)
      acc = ieor(acc, reg)
    case (7)
      acc = iand(acc, 65535)
    case (8)
      reg = iand(reg, 255)
    case (9)
      acc = ior(acc, 1)
    case (10)
      acc = ishft(acc, -1)
    case (11)
      reg = iand(ishft(reg, 1), 65535)
    case (12)
      acc = iand(acc + 7, 65535)
    case (13)
      reg = reg - 3
    case (14)
      if (acc > 100) reg = 0
    case (15)
      acc = iand(acc, 32767)
    end select
    pc = pc + 1
    if (pc > m) pc = 1
  end do
end subroutine
