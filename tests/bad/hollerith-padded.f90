9h
end
