! A section with gaps of a pointer is copied for a call that changes the pointer itself: the copy goes back to the old target.
module callees
  implicit none
contains
  subroutine twice(values, p)
    real(8), intent(inout) :: values(*)
    real(8), pointer :: p(:, :)
    values(1:2) = 2 * values(1:2)
    nullify (p)
  end subroutine
  subroutine turned(values, p, other)
    real(8), intent(inout) :: values(3)
    real(8), pointer, optional :: p(:, :)
    real(8), target :: other(3, 2)
    values = -values
    if (present(p)) p => other
  end subroutine
  subroutine shape_too(values, p)
    real(8), intent(inout) :: values(0:, :)
    real(8), pointer :: p(:, :)
    values = values + 100
    nullify (p)
  end subroutine
  subroutine texts(words, p)
    character(3), intent(inout) :: words(2)
    character(3), pointer :: p(:)
    words = ['new', 'own']
    nullify (p)
  end subroutine
end module
program copied
  use callees
  implicit none
  real(8), target :: a(3, 2), b(3, 2)
  real(8), pointer :: q(:, :)
  character(3), target :: t(4)
  character(3), pointer :: w(:)
  integer :: k
  a = reshape([(real(k, 8), k = 1, 6)], [3, 2])
  b = 7
  q => a
  call twice(q(2, :), q)
  print *, associated(q), a
  q => a
  call turned(q(3:1:-1, 2), q, b)
  print *, associated(q, b), a
  print *, b
  call turned(q(3:1:-1, 1), other=a)
  print *, b
  q => a(:, ::1)
  call shape_too(q(::2, :), q)
  print *, associated(q), a
  t = ['one', 'two', '3rd', '4th']
  w => t
  call texts(w(1:3:2), w)
  print *, associated(w), t
contains
  subroutine unused
    print *, a
  end subroutine
end program
