! Output goes to the first rank, which writes it: whole arrays, groups, internal files; and the others use the elements afterwards.
module state
  implicit none
  integer, parameter :: n = 18
  double precision :: kept(n)
!hpf$ distribute kept(cyclic)
end module
program shown_by_first
  use state
  implicit none
  double precision :: u(n, n), v(n)
  double precision, allocatable :: w(:)
  integer :: i, j, step, back(n)
  character(2400) :: text
  namelist /group/ kept, v, step
!hpf$ distribute u(*, block)
!hpf$ distribute v(block)
!hpf$ distribute w(cyclic(2))
!hpf$ distribute back(block)
  allocate (w(n))
  do step = 1, 3
    do j = 1, n
      do i = 1, n
        u(i, j) = mod(i*j + step, 7)
      end do
      v(j) = j*step
      kept(j) = n - j
      w(j) = v(n + 1 - j)
    end do
    write (*, nml=group)
    write (text, nml=group)
    print *, len_trim(text) > 0, text(1:20)
    print *, v
    ! All ranks need elements of which the first one has copies.
    do i = 1, n - 3
      w(i) = v(i + 3) + kept(n + 1 - i)
    end do
    write (text, '(6f8.2)') w(2:12:2)
    if (text(4:4) /= ' ') v(1) = v(1) + 1
    print *, trim(text)
    write (*, '(9f7.2)') u
    do j = 2, n
      do i = 1, n
        u(i, j) = u(i, j)/2 + u(i, j - 1)
      end do
    end do
    print *, u(n, n), u(:, 2), w
    if (v(9) > 10) kept(3) = v(9)
    open (10, status='scratch', form='unformatted')
    write (10) v, kept, u(2, :)
    v = 0
    write (10) v
    rewind (10)
    read (10) v, w
    rewind (10)
    read (10) kept
    close (10)
    print *, v(5), w, kept
    do i = 1, n
      back(i) = int(w(n + 1 - i)) + int(v(i))
    end do
    print *, back, sum(back)
    call show(v)
  end do
contains
  subroutine show(x)
    double precision, intent(inout) :: x(:)
!hpf$ inherit x
    print *, x(2), x
    x(2) = x(2) + x(size(x))
  end subroutine
end program
