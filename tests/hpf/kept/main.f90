! Arrays of static memory that stay with their owners from one procedure to the next, and everybody else who looks at them: procedures
! without directives, with other ones, with another shape, in C, and not compiled for ranks.
module state
  implicit none
  integer, parameter :: n = 24
  real(8) :: u(n, n), v(n, n)
!HPF$ DISTRIBUTE u(*, BLOCK)
!HPF$ ALIGN v(i, j) WITH u(i, j)
  real(8) :: w(n)
!HPF$ DYNAMIC w
!HPF$ DISTRIBUTE w(BLOCK)
  integer :: steps = 0
contains
  subroutine begin
    integer :: i, j
    do j = 1, n
      do i = 1, n
        u(i, j) = mod(i * j, 7)
        v(i, j) = 0
      end do
      w(j) = j
    end do
  end subroutine

  subroutine step
    integer :: i, j
    steps = steps + 1
    do j = 2, n - 1
      do i = 2, n - 1
        v(i, j) = (u(i, j - 1) + u(i, j + 1) + u(i - 1, j) + u(i + 1, j)) / 4
      end do
    end do
  end subroutine

  subroutine swap
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        u(i, j) = v(i, j)
      end do
    end do
    do j = 1, n
      w(j) = w(j) + u(2, j)
    end do
  end subroutine

  ! One handle for all activations.
  recursive subroutine deeper(k)
    integer, intent(in) :: k
    real(8), save :: mine(n) = 1
!HPF$ DISTRIBUTE mine(CYCLIC)
    integer :: i
    do i = 1, n
      mine(i) = mine(i) + k * i
    end do
    if (k > 0) call deeper(k - 1)
    do i = 2, n
      mine(i) = mine(i) + mine(i - 1) / 2
    end do
    if (k == 0) print '(a, 3f12.4)', 'deeper', mine(1), mine(n / 2), mine(n)
  end subroutine

  ! Its array is there in the next call.
  subroutine remember(k)
    integer, intent(in) :: k
    real(8), save :: last(n)
!HPF$ DISTRIBUTE last(BLOCK)
    integer :: i
    if (k > 1) then
      do i = 2, n
        last(i) = last(i) + last(n - i + 1) * k
      end do
      if (k == 3) print '(a, 6f12.1)', 'remember', last(1:n:4)
    else
      do i = 1, n
        last(i) = u(i, i) + i
      end do
    end if
  end subroutine

  subroutine columns
    integer :: i
!HPF$ REDISTRIBUTE w(CYCLIC)
    do i = 1, n
      w(i) = w(i) * 2
    end do
  end subroutine

  real(8) function sum_of_w()
    integer :: i
    sum_of_w = 0
    do i = 1, n
      sum_of_w = sum_of_w + w(i)
    end do
  end function

  ! The dummy argument is an array of the module, too.
  subroutine scale(x, f)
    real(8), intent(inout) :: x(n, n)
    real(8), intent(in) :: f
    integer :: i, j
    do j = 1, n
      do i = 1, n
        x(i, j) = x(i, j) * f
      end do
    end do
    call step
  end subroutine

  subroutine apply(f)
    external f
    call f
  end subroutine
end module

subroutine owners
  implicit none
  real(8) :: a(40), b(40), s
  common /field/ a, b, s
!HPF$ DISTRIBUTE (BLOCK) :: a, b
  integer :: i
  s = s + 1
  do i = 1, 39
    a(i) = a(i) + b(i + 1) * s
  end do
  do i = 1, 40
    b(i) = b(i) + i
  end do
end subroutine

subroutine name_list
  implicit none
  real(8) :: a(40), b(40), s
  common /field/ a, b, s
!HPF$ DISTRIBUTE (BLOCK) :: a, b
  namelist /field_values/ a, s
  integer :: i
  do i = 1, 40
    a(i) = i
  end do
  open (10, status='scratch')
  write (10, field_values)
  do i = 1, 40
    a(i) = 0
  end do
  rewind (10)
  read (10, field_values)
  do i = 1, 40
    b(i) = a(41 - i) + b(i)
  end do
  rewind (10)
  write (10, *) a(3:5), b
  rewind (10)
  read (10, *) a(1:3), b
end subroutine

program kept
  use state
  implicit none
  real(8) :: a(40), b(40), s, r
  common /field/ a, b, s
!HPF$ DISTRIBUTE (BLOCK) :: a, b
  external owners, called_by_c
  integer :: k, i
  call begin
  do k = 1, 4
    call step
    call swap
    if (k == 2) call columns
  end do
  call show('steps')
  print *, sum_of_w()
  call scale(u, 0.5d0)
  call swap
  call show('scale')
  call scale(v, 2d0)
  call show('scale v')
  call deeper(3)
  do k = 1, 3
    call remember(k)
  end do

  call owners
  call cyclic
  call owners
  call tell('cyclic')
  call plain(r)
  print '(a, f16.3)', 'plain', r
  call owners
  call reshaped
  call owners
  call tell('reshaped')
  call equivalenced
  call owners
  call tell('equivalenced')
  call foreign
  call owners
  call tell('foreign')
  call look(r)
  print '(a, f16.3)', 'look', r
  call owners
  call call_back(owners, r)
  print '(a, f16.3)', 'call_back', r
  call call_back(called_by_c, r)
  print '(a, f16.3)', 'call_back', r
  call keep_address(a)
  call owners
  call look_there(r)
  print '(a, f16.3)', 'look_there', r
  call apply(owners)
  call apply(foreign_too)
  call tell('apply')
  call name_list
  do i = 1, 40
    b(i) = a(i) + b(i)
  end do
  print '(5f14.3)', b
contains
  subroutine show(what)
    character(*), intent(in) :: what
    print '(a, i3, 4f12.5)', what, steps, u(2, 2), u(n - 1, n - 1), v(3, n / 2), w(n)
  end subroutine

  subroutine tell(what)
    character(*), intent(in) :: what
    print '(a, f6.1, 4f14.3)', what, s, a(1), a(20), a(40), b(40)
  end subroutine

  subroutine foreign_too
    call foreign
    a(7) = a(8) + b(7)
    call foreign
  end subroutine
end program

subroutine called_by_c
  real(8) :: r
  call owners
  call plain(r)
  call owners
end subroutine
